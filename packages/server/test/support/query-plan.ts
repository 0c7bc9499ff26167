// Helpers for the tests that check that no tenant can read another tenant's data. The helpers read query plans
// and change SQL statements.

type Plan = { 'Index Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/**
 * Returns the index and condition of each index search in a query plan from EXPLAIN. Subplan numbers are
 * removed, because they depend on the row-security policies.
 */
export function searchesIn([, answer]: string[]): string[] {
  const found: string[] = []
  const below = ({ 'Index Name': index, 'Index Cond': condition = '', Plans = [] }: Plan) => {
    if (index) found.push(`${index} ${condition.replace(/(InitPlan|SubPlan) \d+/g, '$1')}`)
    Plans.forEach(below)
  }
  below(JSON.parse(answer as string)['QUERY PLAN'][0].Plan)
  return found.sort()
}

/**
 * Returns the statement with `or true` added to each condition on a tenant, so that the condition has no effect.
 * Without the conditions, PostgreSQL could not infer the parameter types.
 */
export const forgetful = (text: string): string =>
  text.replace(
    /(?<!\w)(\w+\.)?(tenant_id|actor_tenant_id|t\.id|t\.parent_id) = (\$\d+|\w+\.(tenant_id|"tenantId"))/g,
    '($& or true)',
  )
