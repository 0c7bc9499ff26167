// Starts a local DNS server whose responses are defined by the test.

import { createSocket } from 'node:dgram'
import { type Answer, decode, encode, type Question } from 'dns-packet'
import { atEnd } from './at-end.ts'

/**
 * A function that defines the response to a DNS query: records, 'none' for a name that does not exist, or 'silence'
 * for no response.
 */
export type Zone = (question: Question) => Answer[] | 'none' | 'silence'

export type NameServer = { address: string; asked: Question[] }

const NXDOMAIN = 3

export async function nameServer(zone: Zone): Promise<NameServer> {
  const asked: Question[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    if (!question) return
    asked.push(question)
    const found = zone(question)
    if (found === 'silence') return
    const reply = { type: 'response', id, questions } as const
    socket.send(
      found === 'none' ? encode({ ...reply, flags: NXDOMAIN }) : encode({ ...reply, answers: found }),
      port,
      address,
    )
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  atEnd(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/**
 * Returns the DNS records of a name. Of the given addresses, only those of the requested record type are
 * included: IPv4 addresses for A, IPv6 addresses for AAAA.
 */
export const recordsOf = ({ name, type }: Question, addresses: string[]): Answer[] =>
  addresses
    .map(data => ({ type: data.includes(':') ? ('AAAA' as const) : ('A' as const), name, data }))
    .filter(record => record.type === type)
