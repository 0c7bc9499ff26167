// Remembers the filters of the payment list, so that a link back to the list can restore them.

type Search = Partial<
  Record<'q' | 'status' | 'method_type' | 'channel' | 'provider' | 'amount' | 'from' | 'to', string>
>

let last: Search = {}

export const keepSearch = (search: Search): void => {
  last = search
}
export const lastSearch = (): Search => last
