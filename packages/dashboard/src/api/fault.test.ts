import { expect, test } from 'vitest'
import { faultOf } from './fault.ts'
import { RestError } from './rest-error.ts'

const saidOf = (message: string) => {
  const { field, message: said } = faultOf(new RestError({ code: 'ANY', message }))
  return [field, said]
}

test('an error message is split into the field’s name and the rest, whoever reports it', () => {
  expect(saidOf('bad request: callback_url: must be https')).toEqual(['callback_url', 'must be https'])
  expect(saidOf('bad request: items.0.price: must be whole')).toEqual(['items.0.price', 'must be whole'])
  expect(saidOf('provider error [xendit]: customer_phone: OVO needs it')).toEqual([
    'customer_phone',
    'OVO needs it',
  ])
})

test("a provider's own message names no field", () => {
  const message = 'provider error [midtrans]: refused: Transaction is rejected by FDS'
  expect(saidOf(message)).toEqual([undefined, message])
})

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'error loading dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /dashboard/assets/a.css',
])('a page that failed to load is a temporary error, not a bug of the page: %s', message => {
  expect(faultOf(new TypeError(message))).toMatchObject({ isOfPage: false, code: '', isPassing: true })
})
