import type { ErrorCode } from './errors.ts'

type Texts = Record<string, (params: never) => string>

/**
 * Returns a fault (an error for callers) for each of the given texts. All these faults have the error code
 * `code`.
 */
export const withCode = <Code extends ErrorCode, const All extends Texts>(code: Code, texts: All) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { code, text }])) as {
    [Id in keyof All]: { code: Code; text: All[Id] }
  }
