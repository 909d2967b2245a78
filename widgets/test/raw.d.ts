/** A file read as text, as vitest does it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
