/** The query of a generated operation; a filter that is `undefined` is one that is left out. */
export type QueryOf<Data extends { query?: unknown }> = Loose<NonNullable<Data['query']>>

/** A body whose optional fields may be `undefined` as well. */
export type Loose<Fields> = {
  [Name in keyof Fields]: undefined extends Fields[Name] ? Fields[Name] | undefined : Fields[Name]
}
