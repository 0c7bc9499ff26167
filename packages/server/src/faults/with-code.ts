import type { ErrorCode } from './errors.ts'

type Texts = Record<string, (params: never) => string>

/** Returns one fault of the catalogue for each of the given texts, all with the same error code. */
export const withCode = <Code extends ErrorCode, const All extends Texts>(code: Code, texts: All) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { code, text }])) as {
    [Id in keyof All]: { code: Code; text: All[Id] }
  }
