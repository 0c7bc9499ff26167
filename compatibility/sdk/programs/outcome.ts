// This type has a file of its own, because the program compiles only where the SDK's tarball is installed.

export type Place = { baseUrl: string; apiKey: string; sandboxUrl: string; webhookSecret: string }

export type Outcome = { account: string; status: string; event: string; amount: number; forgery: string }
