// Creates a strict version of the OpenAPI document for our own tests. It allows only documented fields and, in each
// error response, only documented error codes. The published document is not strict, so that generated clients
// accept fields added later.

type Json = { [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/**
 * Keywords of a JSON schema whose values are arbitrary data. In this data, a key such as `properties` is not part of
 * the schema.
 */
const data = new Set(['example', 'examples', 'default', 'const', 'enum'])

/**
 * Returns a copy of the document that allows no undocumented fields in responses. Request schemas still allow them,
 * because the service ignores unknown fields in requests.
 */
export function closedDocument<Document extends object>(document: Document): Document {
  const closed = structuredClone(document) as Json
  const { responses = {} } = (closed.components ?? {}) as { responses?: Json }
  const roots = [closed.webhooks, responses]
  for (const path of Object.values(closed.paths as Json))
    for (const operation of Object.values(path as Json)) roots.push((operation as Json).responses)
  for (const root of roots.slice(1))
    for (const response of Object.values(root as Json)) limitCodes(response as Json)
  const seen = new Set<unknown>()
  for (const root of roots) close(root, closed, seen, true)
  return closed as Document
}

/** Limits the error codes in a response body to those that the response lists in `x-error-codes`. */
function limitCodes({ 'x-error-codes': codes, content = {} }: Json): void {
  if (codes === undefined) return
  const error = { type: 'object', properties: { code: { enum: codes } } }
  for (const media of Object.values(content as Record<string, Json>))
    media.schema = { allOf: [media.schema, { type: 'object', properties: { error } }] }
}

function close(node: unknown, document: Json, seen: Set<unknown>, whole: boolean): void {
  if (!isJson(node) || seen.has(node)) return
  seen.add(node)
  if (whole && isJson(node.properties) && node.additionalProperties === undefined)
    node.additionalProperties = false
  if (typeof node.$ref === 'string') close(at(document, node.$ref.slice(2)), document, seen, true)
  for (const [key, value] of Object.entries(node)) {
    if (data.has(key)) continue
    // Each member of allOf lists only some of the object's fields. Therefore, a member's schema must not forbid the
    // fields that other members list.
    close(value, document, seen, whole && key !== 'allOf')
  }
}

const at = (document: Json, pointer: string): unknown =>
  pointer
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (isJson(node) ? node[part] : undefined), document)
