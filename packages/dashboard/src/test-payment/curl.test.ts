import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('a shell passes the request body in the curl example to curl without any change', () => {
  const order = { customer_name: "Ma'ruf $HOME `id`", amount: 10_000_000 }
  const shown = curlOf('https://pay.example.com', order).replace(/^curl/, 'printf "%s\\n"')
  const said = execFileSync('sh', ['-c', shown], { encoding: 'utf8' })
  expect(JSON.parse(said.slice(said.indexOf('{')))).toEqual(order)
})
