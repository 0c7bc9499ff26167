import { schemaResolver } from '@mantine/form'
import { useComplaint } from '../language/complaint.ts'

type Schema = Parameters<typeof schemaResolver>[0]

/** What of a form's values the schema that the server parses with does not take: a complaint for each such field. */
export function useChecks(schema: Schema): (values: object) => Record<string, string> {
  const complaint = useComplaint()
  const check = schemaResolver(schema, { sync: true })
  return values =>
    Object.fromEntries(Object.entries(check(values)).map(([field, said]) => [field, complaint(String(said))]))
}
