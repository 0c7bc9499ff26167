import { createApiKeyInput } from '@gapura/server/key-input'
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { useAct } from '../parts/use-act.ts'
import { type Mode, useMode } from '../shell/mode.ts'

const text = words({
  en: {
    name: 'Name',
    nameHint: 'What it is for, e.g. web shop',
    mode: 'Mode',
    test: 'Test: no money moves',
    live: 'Live: real money moves',
    create: 'Create',
    key: (name: string) => `API key “${name}”`,
  },
  id: {
    name: 'Nama',
    nameHint: 'Kegunaannya, mis. toko web',
    mode: 'Mode',
    test: 'Uji: tidak ada dana yang bergerak',
    live: 'Live: dana sungguhan bergerak',
    create: 'Buat',
    key: (name: string) => `Kunci API “${name}”`,
  },
})

export function NewKeyForm({ tenantId }: { tenantId: string }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [shellMode] = useMode()
  const form = useForm({
    initialValues: { name: '', mode: shellMode as Mode },
    validate: schemaResolver(createApiKeyInput, { sync: true }),
  })
  const create = useAct({
    mutationFn: (wanted: typeof form.values) => client.keys.create.mutate({ tenant_id: tenantId, ...wanted }),
    form,
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.keys.pathKey() }),
  })
  if (create.data) return <ShownOnce what={t.key(create.data.name)} value={create.data.key} />
  return (
    <form onSubmit={form.onSubmit(wanted => create.mutate(wanted))}>
      <Stack>
        <TextInput label={t.name} description={t.nameHint} data-autofocus {...form.getInputProps('name')} />
        <Radio.Group label={t.mode} {...form.getInputProps('mode')}>
          <Stack gap="xs" mt="xs">
            <Radio value="test" label={t.test} />
            <Radio value="live" label={t.live} />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
