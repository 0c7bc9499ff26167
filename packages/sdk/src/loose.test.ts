import { expectTypeOf, test } from 'vitest'
import type { Gapura } from './index.ts'
import type { Loose } from './operation.ts'

/**
 * Finds object types with a field that is optional but does not accept `undefined`. Checks the parameter's type and all
 * types nested in it. The result is the union of the types found.
 */
type Strict<Parameter> = Parameter extends AbortSignal | Blob | ReadableStream | ((...args: never) => unknown)
  ? never
  : Parameter extends readonly (infer Item)[]
    ? Strict<Item>
    : Parameter extends object
      ? Loose<Parameter> extends Parameter
        ? { [Name in keyof Parameter]-?: Strict<Parameter[Name]> }[keyof Parameter]
        : Parameter
      : never
type StrictOf<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends (...args: infer Parameters) => unknown
    ? Strict<Parameters[number]>
    : never
}[keyof Resource]

test('with exactOptionalPropertyTypes, every optional field in a parameter of an SDK method accepts undefined', () => {
  expectTypeOf<StrictOf<{ remind(body: { reason?: string }): void }>>().toEqualTypeOf<{ reason?: string }>()
  expectTypeOf<StrictOf<{ set(body: { rules: { fixed?: number }[] }): void }>>().toEqualTypeOf<{
    fixed?: number
  }>()
  expectTypeOf<{ [Name in keyof Gapura]: StrictOf<Gapura[Name]> }[keyof Gapura]>().toBeNever()
})
