// The filters of the list that somebody came from, for the way back to it.

type Search = Partial<Record<'q' | 'status' | 'method_type' | 'from' | 'to', string>>

let last: Search = {}

export const keepSearch = (search: Search): void => {
  last = search
}
export const lastSearch = (): Search => last
