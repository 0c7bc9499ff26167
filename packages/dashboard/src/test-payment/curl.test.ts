import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('the curl example sends exactly the given request body, even with quotes or shell characters', () => {
  const order = { customer_name: "Ma'ruf $HOME `id`", amount: 10_000_000 }
  const shown = curlOf('https://pay.example.com', order).replace(/^curl/, 'printf "%s\\n"')
  const said = execFileSync('sh', ['-c', shown], { encoding: 'utf8' })
  expect(JSON.parse(said.slice(said.indexOf('{')))).toEqual(order)
})
