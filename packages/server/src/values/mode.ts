// A payment's mode. The API key determines the mode. A payment in live mode moves real money, and a payment in test
// mode uses the provider's sandbox.

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
