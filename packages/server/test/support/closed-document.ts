// The OpenAPI document as the service's own tests read it: with nothing in an answer or a webhook that it does not
// name. The published document leaves its schemas open, so that clients made from it live with what is added later.

type Json = { [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Values of any shape, in which a property called `properties` is none of a schema's. */
const data = new Set(['example', 'examples', 'default', 'const', 'enum'])

/** What goes in is left as it is: the service ignores fields of a request that it does not know. */
export function closedDocument<Document extends object>(document: Document): Document {
  const closed = structuredClone(document) as Json
  const roots = [closed.webhooks]
  for (const path of Object.values(closed.paths as Json))
    for (const operation of Object.values(path as Json)) roots.push((operation as Json).responses)
  const seen = new Set<unknown>()
  for (const root of roots) close(root, closed, seen, true)
  return closed as Document
}

function close(node: unknown, document: Json, seen: Set<unknown>, whole: boolean): void {
  if (!isJson(node) || seen.has(node)) return
  seen.add(node)
  if (whole && isJson(node.properties) && node.additionalProperties === undefined)
    node.additionalProperties = false
  if (typeof node.$ref === 'string') close(at(document, node.$ref.slice(2)), document, seen, true)
  for (const [key, value] of Object.entries(node)) {
    if (data.has(key)) continue
    // A member of allOf names only some of the fields.
    close(value, document, seen, whole && key !== 'allOf')
  }
}

const at = (document: Json, pointer: string): unknown =>
  pointer
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (isJson(node) ? node[part] : undefined), document)
