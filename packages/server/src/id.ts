// UUID version 7 (RFC 9562): sorts by time, so an index grows at its end.

import { v7, validate } from 'uuid'

export const newId = (): string => v7()
export const isId = (text: string): boolean => validate(text)
