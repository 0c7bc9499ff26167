import { Select } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { methodTypes, methodWords } from '../payments/payment-words.ts'
import { useOfferedChannels, withChosen } from './offered-channels.ts'

const text = words({ en: { any: 'Any' }, id: { any: 'Semua' } })

type Given = {
  /** The provider whose channels are offered. Null means all providers. */
  provider: string | null
  rule: { method_type: string | null; channel: string | null }
  // biome-ignore lint/suspicious/noExplicitAny: the type that Mantine's form returns
  of: (field: 'method_type' | 'channel') => any
}

/**
 * The method and channel inputs for a fee rule or a routing rule. If the user changes the method, the channel is
 * cleared.
 */
export function MethodAndChannel({ provider, rule, of }: Given) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelsOf = useOfferedChannels()
  const [method, channel] = [of('method_type'), of('channel')]
  return (
    <>
      <Select
        placeholder={t.any}
        clearable
        data={methodTypes.map(value => ({ value, label: methods[value] }))}
        {...method}
        onChange={chosen => {
          method.onChange(chosen)
          channel.onChange(null)
        }}
      />
      <Select
        placeholder={t.any}
        clearable
        searchable
        data={withChosen(channelsOf(provider, rule.method_type), rule.channel)}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        {...channel}
      />
    </>
  )
}
