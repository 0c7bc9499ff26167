import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { SlotOwner } from './admission/admission.ts'
import { readBody } from './body.ts'

test.each([0, 1, 65_536, 100_000, 130_000])(
  'a request body of %i bytes is read completely if the whole body has arrived before the service reads it',
  async size => {
    const body = Buffer.alloc(size, 'gapura ')
    const server = createServer(async (request, response) => {
      while (!request.complete) await endOfTurn()
      response.end(await readBody(request, {} as SlotOwner))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const response = await fetch(url, { method: 'POST', body })
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true)
  },
)
