// `gapura webhooks listen`: receives test-mode events and forwards them to a local receiver. The computer needs
// no public address.

import { type Gapura, webhooks } from '@gapura/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { type Cli, whole } from './cli.ts'
import { readThroughOutages } from './outage.ts'
import { note, printLines } from './output.ts'

type Flags = { forwardTo?: URL; count?: number }
type Heard = Awaited<ReturnType<Gapura['webhookEndpoint']['listen']>>['events'][number]

/** The timeout for the local receiver in milliseconds. It equals the timeout of a real webhook delivery. */
const RECEIVER_MS = 10_000
const STILL = 'still listening'

export function addListen(parent: Command, cli: Cli): void {
  parent
    .command('listen')
    .description('receive test-mode webhooks on this computer and forward them to a local receiver')
    .option('--forward-to <url>', 'URL to forward to, such as http://localhost:3000/hook', httpUrl)
    .option('--count <n>', 'exit after this many webhooks', whole)
    .action((flags: Flags) => listen(cli, flags))
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http:// or https:// URL.')
  return url
}

async function listen(cli: Cli, { forwardTo, count = Number.POSITIVE_INFINITY }: Flags): Promise<void> {
  const gapura = cli.connect('user')
  let cursor = (await gapura.webhookEndpoint.listen({ wait_seconds: 0 })).cursor
  note(
    cli,
    `Listening for test-mode webhooks${forwardTo ? ` and forwarding to ${forwardTo.href}` : ''}. Press Ctrl-C to stop.`,
  )
  const secrets = new Set<string>()
  for (let left = count; left > 0; ) {
    const from = cursor
    const heard = await readThroughOutages(cli, STILL, () => gapura.webhookEndpoint.listen({ cursor: from }))
    for (const event of heard.events.slice(0, left)) {
      await passOn(cli, gapura, { event, secrets }, forwardTo)
      left--
    }
    cursor = heard.cursor
  }
}

async function passOn(
  cli: Cli,
  gapura: Gapura,
  { event: { id, headers, body }, secrets }: { event: Heard; secrets: Set<string> },
  to: URL | undefined,
): Promise<void> {
  // The webhook secret is read again for each event, because it may have been rotated since the previous event. The
  // earlier secrets stay valid, because the events of one response were signed before they were forwarded.
  secrets.add((await readThroughOutages(cli, STILL, () => gapura.webhookEndpoint.get())).secret)
  const event = await webhooks.verify(body, headers, [...secrets].reverse())
  const answer = to ? await forward(to, headers, body) : undefined
  const about = 'payment_code' in event.data ? event.data.payment_code : ''
  if (cli.json)
    printLines(cli, [JSON.stringify({ id, type: event.type, verified: true, answer: answer ?? null, event })])
  else
    printLines(cli, [
      [event.type, about, 'verified', answer === undefined ? '' : `-> ${answer}`].filter(Boolean).join('  '),
    ])
}

/**
 * Forwards an event. Returns the HTTP status of the receiver's response, or the reason why there was no response.
 */
async function forward(to: URL, headers: Record<string, string>, body: string): Promise<number | string> {
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_MS),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const { cause, message } = error as Error
    return (cause as Error | undefined)?.message || message
  }
}
