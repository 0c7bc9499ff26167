// The schema for a whole number in a query string. The string may contain only decimal digits (http/rest.ts).

import { z } from 'zod'
import { rule } from '../faults/rule.ts'

export function queryInteger(min: number, max: number) {
  const within = rule('whole_number_out_of_range', { min, max })
  return z.coerce.number(within).int(within).min(min, within).max(max, within)
}

export const isQueryInteger = (schema: z.ZodType): boolean => {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return inner instanceof z.ZodNumber && inner.def.coerce === true
}
