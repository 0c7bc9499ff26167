// Creates a closed version of the OpenAPI document for our own tests. It allows only documented fields, and
// in each error response only documented error codes. The published document is open, so that generated
// clients accept fields that are added later.

type Json = { [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/**
 * The keywords whose values are arbitrary data. Inside such a value, a key such as `properties` is data and not part
 * of a schema.
 */
const data = new Set(['example', 'examples', 'default', 'const', 'enum'])

/**
 * Returns a copy of the document that allows no undocumented fields in responses. The schemas of requests stay open,
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

/** Limits the error codes in the body of a response to those in the `x-error-codes` of this response. */
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
    // Each member of allOf lists only some fields of the object. Its schema must allow the other fields, which other
    // members list.
    close(value, document, seen, whole && key !== 'allOf')
  }
}

const at = (document: Json, pointer: string): unknown =>
  pointer
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (isJson(node) ? node[part] : undefined), document)
