import { furthest, ruleOf } from '@gapura/server/input-rules'
import type { z } from 'zod'
import { useFaultText } from '../language/fault-texts.ts'

/**
 * Returns a function that validates form values with the server's schema. It returns a translated message for each
 * invalid field.
 */
export function useChecks(schema: z.ZodType): (values: object) => Record<string, string> {
  const textOf = useFaultText()
  return values => {
    const errors: Record<string, string> = {}
    for (const each of schema.safeParse(values).error?.issues ?? []) {
      const issue = furthest(each)
      errors[issue.path.join('.')] ??= textOf({ ...ruleOf(issue), message: issue.message })
    }
    return errors
  }
}
