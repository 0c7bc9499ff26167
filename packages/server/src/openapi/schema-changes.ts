// Finds schema changes that break existing clients (docs/guides/versioning.md). A request schema must not become
// stricter. In a response schema, no field may be removed, change its type or become optional.

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Json, refOf, type Shape, shapeOf } from './normalize-schema.ts'

/**
 * `sent`: clients send data with this schema in requests. `answered`: the service returns data with this schema in
 * responses or webhooks.
 */
export type Direction = 'sent' | 'answered'
export type Documents = { before: Json; after: Json }

/** A breaking change: the changed field, a description of the change, and advice on what to do instead. */
export type SchemaChange = { field: string; what: string; instead: string }

export function schemaChanges(
  documents: Documents,
  before: Json,
  after: Json,
  direction: Direction,
  field = '',
  compared = new Set<string>(),
): SchemaChange[] {
  // Each pair of schemas is compared only once. Otherwise, the comparison of recursive schemas would never
  // end.
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
    return [change('had one schema and is now a choice between several schemas', 'keep the single schema')]
  return [
    ...typeChanges(old, now, direction).map(what =>
      change(what, "do not change the field's type, but add a second field with the new type"),
    ),
    ...valueChanges(old, now, direction).map(what =>
      change(what, 'keep accepting and documenting the value'),
    ),
    ...(direction === 'sent' ? limitChanges(old, now) : formatChanges(old, now)).map(what =>
      change(what, 'keep allowing what was allowed'),
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

/**
 * If the types contain `number`, adds `integer`, because a schema that allows all numbers also allows
 * integers.
 */
const covers = (types: Set<string>): Set<string> =>
  types.has('number') ? new Set([...types, 'integer']) : types

function typeChanges({ types: old }: Shape, { types: now }: Shape, direction: Direction): string[] {
  if (direction === 'sent') {
    if (now === undefined) return []
    if (old === undefined) return [`now accepts only ${[...now].join(' or ')}`]
    return missing(covers(now), old).map(type => `no longer accepts ${type}`)
  }
  if (old === undefined) return []
  // Giving a type to a field that was always null breaks no client, because clients could not use the field before.
  // The change is like adding a field.
  if (old.size === 1 && old.has('null')) return []
  if (now === undefined) return [`can now be of any type (was ${[...old].join(' or ')})`]
  return missing(covers(old), now).map(type => `can now be ${type} (was ${[...old].join(' or ')})`)
}

function valueChanges({ values: old }: Shape, { values: now }: Shape, direction: Direction): string[] {
  if (old === undefined) return direction === 'sent' && now ? [`now accepts only ${[...now].join(', ')}`] : []
  if (now === undefined) return direction === 'sent' ? [] : ['no longer lists its values']
  return missing(now, old).map(value => `the value ${value} was removed`)
}

/**
 * The part of a pattern that matches every UUID. Replacing the format `uuid` by a pattern with this part is
 * no breaking change, because the pattern accepts all UUIDs and more.
 */
const uuid = z.regexes.uuid().source.slice(1, -1)

function limitChanges({ limits: old }: Shape, { limits: now }: Shape): string[] {
  return Object.entries(now)
    .filter(
      ([name, limit]) =>
        !isDeepStrictEqual(limit, old[name]) &&
        isStricter(name, old[name], limit) &&
        !(name === 'pattern' && old.format === 'uuid' && String(limit).includes(`|${uuid})`)),
    )
    .map(
      ([name, limit]) =>
        `${name} is now ${JSON.stringify(limit)} (was ${JSON.stringify(old[name] ?? 'none')})`,
    )
    .concat('default' in old && !('default' in now) ? ['no longer has a default'] : [])
}

function isStricter(name: string, old: unknown, limit: unknown): boolean {
  // Adding a default breaks no client, but changing a default alters the result for clients that omit the field.
  if (name === 'default') return old !== undefined
  if (old === undefined) return true
  if (name.startsWith('min')) return Number(limit) > Number(old)
  if (name.startsWith('max')) return Number(limit) < Number(old)
  return true
}

const formatChanges = ({ limits: old }: Shape, { limits: now }: Shape): string[] =>
  old.format !== undefined && old.format !== now.format
    ? [`the format is now ${now.format ?? 'none'} (was ${old.format})`]
    : []

function fieldChanges(old: Shape, now: Shape, direction: Direction, field: string): SchemaChange[] {
  const place = (name: string) => (field ? `${field}.${name}` : name)
  const gone = Object.keys(old.properties)
    .filter(name => !now.properties[name])
    .map(name => ({
      field: place(name),
      what: 'was removed',
      instead: 'keep the field with `deprecated: true`, and describe its replacement',
    }))
  const changed =
    direction === 'sent'
      ? missing(old.required, now.required).map(name => ({
          field: place(name),
          what: 'is now required',
          instead: 'keep the field optional, with a default that preserves the previous behavior',
        }))
      : missing(now.required, old.required)
          .filter(name => now.properties[name])
          .map(name => ({ field: place(name), what: 'may now be absent', instead: 'always return it' }))
  return [...gone, ...changed]
}

function partChanges(
  old: Json | undefined,
  now: Json | undefined,
  field: string,
  inside: Inside,
): SchemaChange[] {
  if (!old) return []
  return now ? inside(old, now, field) : [{ field, what: 'was removed', instead: 'keep it' }]
}

function choiceChanges(old: Shape, now: Shape, field: string, inside: Inside): SchemaChange[] {
  const names = Object.keys(old.choices)
  const place = field || 'the body'
  return names.flatMap(name => {
    const choice = now.choices[name]
    return choice
      ? inside(old.choices[name] as Json, choice, field)
      : [{ field: place, what: `the alternative ${name} was removed`, instead: 'keep it' }]
  })
}
