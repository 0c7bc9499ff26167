// Remembers the filters of the payment list for the link back to it.

type Search = Partial<Record<'q' | 'status' | 'method_type' | 'from' | 'to', string>>

let last: Search = {}

export const keepSearch = (search: Search): void => {
  last = search
}
export const lastSearch = (): Search => last
