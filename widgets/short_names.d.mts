export const SHORTENED: RegExp;
export function shortenPrivates(source: string): string;
