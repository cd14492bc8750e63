import type { Diagnostic } from "../client/client";

/** The statement as it is asked: with this many rows at the most where it is one that can be put in another one. */
export function limited(statement: string, most: number): string {
  const plain = statement.trim().replace(/;\s*$/, "");
  return /^(select|with|values)\b/i.test(plain) ? `SELECT * FROM (\n${plain}\n) LIMIT ${most}` : statement;
}

/** An error of a statement: its message, and the character where the statement is wrong. */
export interface StatementError {
  message: string;
  at?: number;
}

/** What is said of a statement, and where in it. */
export const statementError = ({ message, space, offset }: Pick<Diagnostic, "message" | "space" | "offset">, statement: string): StatementError =>
  space === "statement" && offset !== undefined ? { message, at: characterAt(statement, offset) } : { message };

/** The position in a text of a byte of it as UTF-8. */
export function characterAt(text: string, byte: number): number {
  let bytes = 0;
  let at = 0;
  for (const character of text) {
    if (bytes >= byte) break;
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += character.length;
  }
  return at;
}

/** Line and column of a character, counted from 1. */
export function lineOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Statements that are kept. */
const MOST = 100;

/** The statements with one more, the newest first, each once. */
export const remembered = (statements: string[], statement: string): string[] =>
  [statement, ...statements.filter((it) => it !== statement)].slice(0, MOST);

/** A name as SQL takes it. */
export const nameText = (name: string): string => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
