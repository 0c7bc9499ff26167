// Schema of a whole number in a query string. Only plain decimal digits are accepted (http/rest.ts).

import { z } from 'zod'

export function queryInteger(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}, in plain digits`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}

export const isQueryInteger = (schema: z.ZodType): boolean => {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return inner instanceof z.ZodNumber && inner.def.coerce === true
}
