import { defineConfig } from "vitest/config";

export default defineConfig({
  // the built bundle lies in the Python package beside this folder
  server: { fs: { allow: [".."] } },
  test: {
    environment: "jsdom",
    setupFiles: ["test/setup.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000, // for slow machines
  },
});
