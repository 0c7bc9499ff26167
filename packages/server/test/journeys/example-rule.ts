// Compares a response with an example in the OpenAPI document. Fields and values must be equal, except for values
// that differ on every run: ids, times, secrets, signatures, provider numbers, server addresses, and durations. A
// list in the response may contain more items than the list in the example.

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const natures: [nature: string, looks: RegExp][] = [
  ['id', /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g],
  ['time', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g],
  // Matches a time in the format that providers use, such as 2026-01-31 09:30:00.
  ['time', /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g],
  ['day', /\b\d{4}-\d\d-\d\d\b/g],
  ['payment code', /\bGP\d{6}-[0-9A-HJKMNP-TV-Z]{10}\b/g],
  ['test key', /\bgp_test_\w+/g],
  ['live key', /\bgp_live_\w+/g],
  ['refresh token', /\bgp_refresh_[\w-]+/g],
  ['invitation', /\bgp_invite_[\w-]+/g],
  ['challenge', /\bgp_challenge_[\w-]+/g],
  ['TOTP secret', /^[A-Z2-7]{32}$/g],
  ['recovery code', /^[a-hj-km-np-tv-z2-9]{5}-[a-hj-km-np-tv-z2-9]{5}$/g],
  ['reset token', /\bgp_reset_[\w-]+/g],
  ['webhook secret', /\bwhsec_[\w+/]+=*/g],
  ['JWT', /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g],
  ['signature', /\b(sha256=)?[0-9a-f]{64,128}\b/g],
  ['signature', /\bv1,[\w+/]+=*/g],
  ['cursor', /^MD[\w-]{40,}$/g],
  // Matches a QRIS code by its first characters: payload format 01, then the marker for a static or dynamic code
  // (EMVCo, Merchant-Presented Mode).
  ['QRIS code', /^00020101021[12]\S.*$/g],
  ['URL', /\b[a-z][a-z+.-]*:\/\/[^\s"\\]+/g],
  // Matches the loopback address, and addresses that are reserved for documentation (RFC 5737).
  ['address', /\b(127\.0\.0\.1|203\.0\.113\.\d+)(:\d+)?/g],
  ['number', /\d{8,}/g],
]

/**
 * The callback URL in the examples. A response must contain exactly this URL, because the caller set it in an earlier
 * request.
 */
const told = 'https://shop.example.com/hooks/gapura'

const lookOf = (text: string): string =>
  text === told ? text : natures.reduce((seen, [nature, looks]) => seen.replace(looks, `<${nature}>`), text)

const isDuration = (name: string): boolean => name.endsWith('_ms')
const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns each difference between the response and the example, with the path of the field. If the response matches
 * the example, the list is empty.
 */
export function differencesFrom(example: Json, answer: Json, place = ''): string[] {
  if (Array.isArray(example) && Array.isArray(answer)) {
    if (example.length > answer.length || (example.length === 0 && answer.length > 0))
      return [`${place}: ${example.length} items in the example, ${answer.length} in the response`]
    return example.flatMap((each, index) =>
      differencesFrom(each, answer[index] as Json, `${place}[${index}]`),
    )
  }
  if (isObject(example) && isObject(answer)) {
    const names = new Set([...Object.keys(example), ...Object.keys(answer)])
    return [...names].flatMap(name => {
      const at = place === '' ? name : `${place}.${name}`
      if (!(name in example))
        return [
          `${at}: the example lacks this field, which has the value ${JSON.stringify(answer[name])} in the response`,
        ]
      if (!(name in answer)) return [`${at}: the response lacks this field`]
      // If the response has more items than the example, only the response contains a cursor for the next page.
      if (name === 'next_cursor' && example[name] === null) return []
      if (isDuration(name) && typeof example[name] === typeof answer[name]) return []
      return differencesFrom(example[name] as Json, answer[name] as Json, at)
    })
  }
  // If a string contains JSON, it is compared as JSON, so that the order of its fields does not matter.
  const [inner, innerAnswer] = [example, answer].map(jsonIn)
  if (inner && innerAnswer) return differencesFrom(inner, innerAnswer, `${place} as JSON`)
  const [wanted, got] = [example, answer].map(each => (typeof each === 'string' ? lookOf(each) : each))
  return wanted === got
    ? []
    : [`${place}: the example has ${JSON.stringify(example)}, the response has ${JSON.stringify(answer)}`]
}

function jsonIn(value: Json): Json | undefined {
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined
  try {
    return JSON.parse(value) as Json
  } catch {
    return undefined
  }
}

/** Replaces the examples' placeholders with real values, anywhere in the given value. */
export function withReal<Value>(value: Value, real: Record<string, string>): Value {
  let text = JSON.stringify(value)
  for (const [placeholder, each] of Object.entries(real)) text = text.replaceAll(placeholder, each)
  return JSON.parse(text) as Value
}
