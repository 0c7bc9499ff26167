import type { Demo } from '../demo/demo.ts'

type Place = {
  baseUrl: string
  /** The path of the file demo.json, which contains the secrets for the demo's tenants. */
  file: string
  /**
   * True if the output is a terminal. Passwords are printed only to a terminal, because other output may be stored
   * by a log collector.
   */
  isTerminal: boolean
}

/**
 * Returns the startup message. If there is demo data, the message contains the addresses, the logins, and
 * two commands that create and pay a test payment.
 */
export function startupMessage(demo: Demo | undefined, { baseUrl, file, isTerminal }: Place): string {
  if (!demo) return `\nGapura is ready at ${baseUrl}\n\n`
  return `
Gapura is ready at ${baseUrl}

  Dashboard         ${baseUrl}/dashboard
  Documentation     ${baseUrl}/docs
  Provider sandbox  ${demo.sandbox_url}
  Logins and keys   ${file}
${isTerminal ? loginsOf(demo) : ''}
Create a payment:

  code=$(curl -s ${baseUrl}/v1/payments/create \\
    -H 'Authorization: ApiKey ${demo.client.test_key}' \\
    -H "X-Idempotency-Key: order-$(date +%s)" \\
    -H 'Content-Type: application/json' \\
    -d '{"amount":10000000,"currency":"IDR","method_type":"virtual_account",
         "method_detail":{"type":"virtual_account","bank":"BCA"}}' |
    tee /dev/stderr | sed 's/.*"payment_code":"\\([^"]*\\)".*/\\1/')

Pay it in the sandbox:

  curl -s ${demo.sandbox_url}/simulate -H 'Content-Type: application/json' \\
    -d "{\\"payment_code\\":\\"$code\\",\\"outcome\\":\\"paid\\"}"

`
}

const loginsOf = ({ client, owner }: Demo): string => `
  Log in as merchant  ${client.email}  ${client.password}
  Log in as operator  ${owner.email}   ${owner.password}
  Test API key        ${client.test_key}
`
