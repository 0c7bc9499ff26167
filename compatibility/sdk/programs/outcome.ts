// These types have their own file because the program that uses them compiles only where the SDK tarball is
// installed.

export type Place = { baseUrl: string; apiKey: string; sandboxUrl: string; webhookSecret: string }

export type Outcome = { account: string; status: string; event: string; amount: number; forgery: string }
