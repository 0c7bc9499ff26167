// A payment's mode. Live mode moves real money, and test mode uses the providers' sandboxes. The API key determines
// the mode.

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
