import type { Outputs } from '../api/trpc.ts'

export type Entry = Outputs['audit']['list']['items'][number]
type Facts = Entry['before']

export type Change = { name: string; before: unknown; after: unknown }

/**
 * Returns the fields whose values before and after the change differ, in the order in which they were
 * recorded.
 */
export function changesOf({ before, after }: Pick<Entry, 'before' | 'after'>): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map(name => ({ name, before: before?.[name], after: after?.[name] }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

/** The fields whose value can name the object of an audit entry. The first one that has a text is used. */
const known = ['name', 'email', 'callback_url', 'payment_code', 'date', 'tier'] as const

export function nameOf({ before, after }: Pick<Entry, 'before' | 'after'>): string | undefined {
  const of = (facts: Facts) => known.map(name => facts?.[name]).find(value => typeof value === 'string')
  return of(after) ?? of(before)
}
