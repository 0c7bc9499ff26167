import { expect, test } from 'vitest'
import { faultOf } from './fault.ts'
import { RestError } from './rest-error.ts'

const saidOf = (message: string) => {
  const { field, message: said } = faultOf(new RestError({ code: 'ANY', message }))
  return [field, said]
}

test('what is said of a field is told apart from its name, whoever says it', () => {
  expect(saidOf('bad request: callback_url: must be https')).toEqual(['callback_url', 'must be https'])
  expect(saidOf('bad request: items.0.price: must be whole')).toEqual(['items.0.price', 'must be whole'])
  expect(saidOf('provider error [xendit]: customer_phone: OVO needs it')).toEqual([
    'customer_phone',
    'OVO needs it',
  ])
})

test("a provider's own words are about no field", () => {
  const message = 'provider error [midtrans]: refused: Transaction is rejected by FDS'
  expect(saidOf(message)).toEqual([undefined, message])
})

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'error loading dynamically imported module: http://127.0.0.1:8080/dashboard/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /dashboard/assets/a.css',
])('a page that could not be fetched is no mistake of the page: %s', message => {
  expect(faultOf(new TypeError(message))).toMatchObject({ isOfPage: false, code: '', isPassing: true })
})
