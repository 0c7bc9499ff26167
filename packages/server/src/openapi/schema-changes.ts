// Finds schema changes that break clients of the previous version (docs/guides/versioning.md). A request's schema may
// become less strict, but not stricter. A response's schema may gain fields, but no field may be removed, change its
// type or become optional.

import { isDeepStrictEqual } from 'node:util'
import { type Json, refOf, type Shape, shapeOf } from './normalize-schema.ts'

/** `sent`: the client sends data of this schema in requests. `answered`: the service returns data of this schema. */
export type Direction = 'sent' | 'answered'
export type Documents = { before: Json; after: Json }

/** A breaking change: the field, what changed, and what to do instead. */
export type SchemaChange = { field: string; what: string; instead: string }

export function schemaChanges(
  documents: Documents,
  before: Json,
  after: Json,
  direction: Direction,
  field = '',
  compared = new Set<string>(),
): SchemaChange[] {
  // Each pair of schemas is compared only once, because schemas can be recursive.
  const pair = `${refOf(before)} ${refOf(after)}`
  if (pair.trim() !== '') {
    if (compared.has(pair)) return []
    compared = new Set([...compared, pair])
  }
  const [old, now] = [shapeOf(documents.before, before), shapeOf(documents.after, after)]
  const inside = (one: Json, other: Json, name: string) =>
    schemaChanges(documents, one, other, direction, name, compared)
  const change = (what: string, instead: string): SchemaChange => ({
    field: field || 'the body',
    what,
    instead,
  })
  if (!hasChoices(old) && hasChoices(now))
    return [change('was of one shape and is one of several now', 'keep the one shape')]
  return [
    ...typeChanges(old, now, direction).map(what => change(what, 'add a field of the new type beside it')),
    ...valueChanges(old, now, direction).map(what =>
      change(what, 'keep accepting and documenting the value'),
    ),
    ...(direction === 'sent' ? limitChanges(old, now) : formatChanges(old, now)).map(what =>
      change(what, 'keep what was allowed'),
    ),
    ...fieldChanges(old, now, direction, field),
    ...Object.keys(old.properties).flatMap(name =>
      now.properties[name]
        ? inside(old.properties[name] as Json, now.properties[name], field ? `${field}.${name}` : name)
        : [],
    ),
    ...partChanges(old.items, now.items, `${field}[]`, inside),
    ...partChanges(old.entries, now.entries, `${field}{}`, inside),
    ...choiceChanges(old, now, field, inside),
  ]
}

type Inside = (before: Json, after: Json, field: string) => SchemaChange[]

const hasChoices = ({ choices }: Shape): boolean => Object.keys(choices).length > 0

const missing = (from: Set<string>, of: Set<string>): string[] => [...of].filter(each => !from.has(each))

/** Returns the types with `integer` added if `number` is one of them, because each integer is a number. */
const covers = (types: Set<string>): Set<string> =>
  types.has('number') ? new Set([...types, 'integer']) : types

function typeChanges({ types: old }: Shape, { types: now }: Shape, direction: Direction): string[] {
  if (direction === 'sent') {
    if (now === undefined) return []
    if (old === undefined) return [`takes only ${[...now].join(' or ')} now`]
    return missing(covers(now), old).map(type => `does not take ${type} any more`)
  }
  if (old === undefined) return []
  // No client uses a field that was always null, so its new type counts as a new field.
  if (old.size === 1 && old.has('null')) return []
  if (now === undefined) return [`may be anything now, was ${[...old].join(' or ')}`]
  return missing(covers(old), now).map(type => `can be ${type} now, was ${[...old].join(' or ')}`)
}

function valueChanges({ values: old }: Shape, { values: now }: Shape, direction: Direction): string[] {
  if (old === undefined) return direction === 'sent' && now ? [`takes only ${[...now].join(', ')} now`] : []
  if (now === undefined) return direction === 'sent' ? [] : ['has no list of its values any more']
  return missing(now, old).map(value => `the value ${value} is gone`)
}

function limitChanges({ limits: old }: Shape, { limits: now }: Shape): string[] {
  return Object.entries(now)
    .filter(([name, limit]) => !isDeepStrictEqual(limit, old[name]) && isStricter(name, old[name], limit))
    .map(
      ([name, limit]) =>
        `${name} is ${JSON.stringify(limit)} now, was ${JSON.stringify(old[name] ?? 'none')}`,
    )
    .concat('default' in old && !('default' in now) ? ['has no default any more'] : [])
}

function isStricter(name: string, old: unknown, limit: unknown): boolean {
  // Adding a default breaks no client. Changing a default alters the result for clients that omit the field.
  if (name === 'default') return old !== undefined
  if (old === undefined) return true
  if (name.startsWith('min')) return Number(limit) > Number(old)
  if (name.startsWith('max')) return Number(limit) < Number(old)
  return true
}

const formatChanges = ({ limits: old }: Shape, { limits: now }: Shape): string[] =>
  old.format !== undefined && old.format !== now.format
    ? [`its format is ${now.format ?? 'none'} now, was ${old.format}`]
    : []

function fieldChanges(old: Shape, now: Shape, direction: Direction, field: string): SchemaChange[] {
  const place = (name: string) => (field ? `${field}.${name}` : name)
  const gone = Object.keys(old.properties)
    .filter(name => !now.properties[name])
    .map(name => ({
      field: place(name),
      what: 'is gone',
      instead: 'keep it, with `deprecated: true` and a word on what to use',
    }))
  const changed =
    direction === 'sent'
      ? missing(old.required, now.required).map(name => ({
          field: place(name),
          what: 'is required now',
          instead: 'leave it optional, with a default that does what was done without it',
        }))
      : missing(now.required, old.required)
          .filter(name => now.properties[name])
          .map(name => ({ field: place(name), what: 'may be absent now', instead: 'always answer it' }))
  return [...gone, ...changed]
}

function partChanges(
  old: Json | undefined,
  now: Json | undefined,
  field: string,
  inside: Inside,
): SchemaChange[] {
  if (!old) return []
  return now ? inside(old, now, field) : [{ field, what: 'is gone', instead: 'keep it' }]
}

function choiceChanges(old: Shape, now: Shape, field: string, inside: Inside): SchemaChange[] {
  const names = Object.keys(old.choices)
  const place = field || 'the body'
  return names.flatMap(name => {
    const choice = now.choices[name]
    return choice
      ? inside(old.choices[name] as Json, choice, field)
      : [{ field: place, what: `${name} is gone from its choices`, instead: 'keep it' }]
  })
}
