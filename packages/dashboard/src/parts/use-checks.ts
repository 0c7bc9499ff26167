import { schemaResolver } from '@mantine/form'
import { useComplaint } from '../language/complaint.ts'

type Schema = Parameters<typeof schemaResolver>[0]

/** Validates form values with the server's own schema. Returns a translated message for each invalid field. */
export function useChecks(schema: Schema): (values: object) => Record<string, string> {
  const complaint = useComplaint()
  const check = schemaResolver(schema, { sync: true })
  return values =>
    Object.fromEntries(Object.entries(check(values)).map(([field, said]) => [field, complaint(String(said))]))
}
