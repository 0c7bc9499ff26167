/** Serializes a value as JSON with sorted keys. Omits undefined properties. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let members = ''
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}
