import type { ErrorCode } from './errors.ts'

type Texts = Record<string, (params: never) => string>

/**
 * Returns the catalogue entries for the given texts, one fault for each text. All of these faults have the
 * same error code.
 */
export const withCode = <Code extends ErrorCode, const All extends Texts>(code: Code, texts: All) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { code, text }])) as {
    [Id in keyof All]: { code: Code; text: All[Id] }
  }
