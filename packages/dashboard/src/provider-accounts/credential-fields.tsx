import { Fieldset, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { isPem, isSecret, labelOf } from './credential-names.ts'
import type { Provider } from './providers.ts'

const text = words({
  en: {
    title: 'Credentials',
    about: (provider: string) =>
      `Enter the credentials that ${provider} gave you. They are stored encrypted and never shown again.`,
    pem: 'In PEM format, from -----BEGIN to -----END',
    signature: 'hmac or md5. Leave empty for hmac.',
  },
  id: {
    title: 'Kredensial',
    about: (provider: string) =>
      `Masukkan kredensial dari ${provider}. Kredensial disimpan terenkripsi dan tidak pernah ditampilkan lagi.`,
    pem: 'Dalam format PEM, dari -----BEGIN sampai -----END',
    signature: 'hmac atau md5. Kosongkan untuk hmac.',
  },
})

type Given = {
  provider: Provider
  // biome-ignore lint/suspicious/noExplicitAny: the type that Mantine's form returns
  inputProps: (name: string) => any
}

/** Shows one field for each credential that the provider requires or allows. */
export function CredentialFields({ provider, inputProps }: Given) {
  const t = useWords(text)
  const { properties, required } = provider.credentials
  const names = Object.keys(properties)
  return (
    <Fieldset legend={t.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.about(provider.name)}
        </Text>
        {names.map(name => {
          const field = { label: labelOf(name), required: required.includes(name), ...inputProps(name) }
          if (isPem(name, names))
            return (
              <Textarea
                key={name}
                description={t.pem}
                classNames={{ input: 'mono' }}
                rows={4}
                autoComplete="off"
                spellCheck={false}
                {...field}
              />
            )
          return isSecret(name) ? (
            <PasswordInput key={name} autoComplete="new-password" {...field} />
          ) : (
            <TextInput
              key={name}
              description={name === 'signature' && t.signature}
              autoComplete="off"
              {...field}
            />
          )
        })}
      </Stack>
    </Fieldset>
  )
}
