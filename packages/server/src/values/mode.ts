// The type of an API key selects the mode: live money or the providers' sandboxes.

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]
