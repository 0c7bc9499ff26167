// Reads query plans and changes SQL statements, for the tests that check that no tenant can read another's data.

type Plan = { 'Index Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/**
 * Returns the index and condition of each index search in a query plan from EXPLAIN. Removes subplan numbers,
 * because row-security policies change them.
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
 * Returns the statement with `or true` added to each condition on a tenant. The conditions are not deleted, because
 * PostgreSQL infers the parameter types from them.
 */
export const forgetful = (text: string): string =>
  text.replace(
    /(?<!\w)(\w+\.)?(tenant_id|actor_tenant_id|t\.id|t\.parent_id) = (\$\d+|\w+\.(tenant_id|"tenantId"))/g,
    '($& or true)',
  )
