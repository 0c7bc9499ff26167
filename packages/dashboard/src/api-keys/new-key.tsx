import { createApiKeyInput } from '@gapura/server/key-input'
import type { KeyScope } from '@gapura/server/key-scope'
import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconCoins } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useRetryKey } from '../parts/use-retry-key.ts'
import { type Mode, useMode } from '../shell/mode.ts'
import { modeWords } from '../shell/mode-words.ts'
import { KeyLimitsInput } from './key-limits-input.tsx'
import type { MadeKey } from './shown-key.tsx'
import { useGrantableScopes } from './use-grantable-scopes.ts'

const text = words({
  en: {
    title: 'New API key',
    name: 'Name',
    hint: 'Enter the place where you use the key, for example “web shop”, so that you recognize the key later.',
    example: 'Web shop, production',
    mode: 'Mode',
    live: 'A live key creates payments with real money. Anyone who has the key can act on your behalf, so store the key only on your server.',
    test: 'A test key works only in test mode. Payments are simulated, and no real money moves.',
    limits: 'Limit scopes and addresses',
    create: 'Create key',
  },
  id: {
    title: 'Kunci API baru',
    name: 'Nama',
    hint: 'Sebutkan tempat kunci dipakai, misalnya “toko web”, agar kunci mudah dikenali nanti.',
    example: 'Toko web, produksi',
    mode: 'Mode',
    live: 'Kunci live membuat pembayaran dengan uang sungguhan. Siapa pun yang memilikinya dapat bertindak atas nama Anda, jadi simpan hanya di server Anda.',
    test: 'Kunci uji coba hanya berlaku di mode uji coba. Pembayaran disimulasikan, dan tidak ada uang sungguhan yang berpindah.',
    limits: 'Batasi cakupan dan alamat',
    create: 'Buat kunci',
  },
})

type Given = { tenantId: string; close: () => void; whenMade: (made: MadeKey) => void }

export function NewKey({ tenantId, close, whenMade }: Given) {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const [shown] = useMode()
  const queries = useQueryClient()
  const retryKey = useRetryKey()
  const modeId = useId()
  const { scopesToSend, ...grantable } = useGrantableScopes()
  const [isLimited, limits] = useDisclosure()
  const form = useForm<{ name: string; mode: Mode; scopes: KeyScope[]; allowed_ips: string[] }>({
    initialValues: { name: '', mode: shown, scopes: [], allowed_ips: [] },
    validate: useChecks(createApiKeyInput),
  })
  const creating = useAct({
    form,
    // The response contains the secret API key. The key is shown only on this page, and the query cache does not store
    // it.
    gcTime: 0,
    mutationFn: ({ scopes, ...wanted }: typeof form.values) => {
      const input = { tenant_id: tenantId, ...wanted, scopes: scopesToSend(scopes) }
      return client.keys.create.mutate(input, retryKey(input))
    },
    onSuccess(key) {
      void queries.invalidateQueries({ queryKey: trpc.keys.pathKey() })
      whenMade({ key })
    },
  })
  return (
    <Dialog onClose={close} title={t.title}>
      <form onSubmit={form.onSubmit(wanted => creating.mutate(wanted))} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('name')}
            label={t.name}
            description={t.hint}
            placeholder={t.example}
            autoComplete="off"
            maxLength={255}
            required
            data-autofocus
          />
          <div>
            <Text id={modeId} size="sm" fw={500} mb={4}>
              {t.mode}
            </Text>
            <SegmentedControl
              {...form.getInputProps('mode')}
              aria-labelledby={modeId}
              fullWidth
              data={[
                { value: 'test', label: modes.test },
                { value: 'live', label: modes.live },
              ]}
            />
          </div>
          <div aria-live="polite">
            {form.values.mode === 'live' ? (
              <Alert color="orange" icon={<IconCoins />}>
                {t.live}
              </Alert>
            ) : (
              <Text size="sm" c="dimmed">
                {t.test}
              </Text>
            )}
          </div>
          {isLimited ? (
            <KeyLimitsInput
              {...grantable}
              scopes={form.getInputProps('scopes')}
              allowedIps={form.getInputProps('allowed_ips')}
            />
          ) : (
            <div>
              <Button variant="subtle" size="compact-sm" onClick={limits.open}>
                {t.limits}
              </Button>
            </div>
          )}
          <ActRow back={close} act={t.create} isActing={creating.isPending} refusal={creating.refusal} />
        </Stack>
      </form>
    </Dialog>
  )
}
