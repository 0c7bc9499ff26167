// Remembers the payment list's filters and order, so that a link back to the list can restore them.

type Name = 'q' | 'status' | 'method_type' | 'channel' | 'provider' | 'amount' | 'from' | 'to' | 'order'
export type PaymentSearch = { [name in Name]?: string | undefined }

let last: PaymentSearch = {}

export const keepSearch = (search: PaymentSearch): void => {
  last = search
}
export const lastSearch = (): PaymentSearch => last
