import { brandingInput } from '@gapura/server/branding-input'
import { Button, Grid, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useFaultText } from '../language/fault-texts.ts'
import { useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useAccount } from '../session/account.ts'
import { BrandPreview } from './brand-preview.tsx'
import { type BrandingDraft, brandingOf, draftOf, faultOfColor } from './branding-draft.ts'
import { ColorField } from './color-field.tsx'
import { LogoField } from './logo-field.tsx'

const text = words({
  en: {
    about:
      'Your customers see this at the top of payment pages, for example when an e-wallet returns them after a payment.',
    name: 'Name',
    nameHint: (name: string) => `Leave this field empty to show your account name, ${name}.`,
    save: 'Save branding',
    saved: 'Branding saved. New visitors see it immediately.',
  },
  id: {
    about:
      'Yang dilihat pelanggan Anda di bagian atas halaman pembayaran, misalnya halaman tujuan setelah membayar dengan dompet digital.',
    name: 'Nama',
    nameHint: (name: string) => `Kosongkan agar nama akun Anda, ${name}, yang ditampilkan.`,
    save: 'Simpan tampilan',
    saved: 'Tampilan merek disimpan. Pengunjung berikutnya langsung melihatnya.',
  },
})

export function BrandingForm({ branding }: { branding: Outputs['branding']['get'] }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const { name } = useAccount()
  const check = useChecks(brandingInput)
  const faultText = useFaultText()
  const form = useSettingsForm<BrandingDraft>({
    stored: draftOf(branding),
    validate(draft) {
      const fault = faultOfColor(draft.color)
      return { ...check(brandingOf(draft)), ...(fault && { color: faultText({ ...fault, message: '' }) }) }
    },
  })
  const saving = useAct({
    form,
    done: t.saved,
    async mutationFn() {
      const stored = await queries.fetchQuery(trpc.branding.get.queryOptions({}, { staleTime: 0 }))
      return client.branding.set.mutate(brandingOf(form.appliedTo(draftOf(stored))))
    },
    onSuccess(saved) {
      form.showSaved(draftOf(saved))
      return queries.invalidateQueries({ queryKey: trpc.branding.pathKey() })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(() => saving.mutate())}>
      <Unsaved isDirty={form.isEdited} />
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack gap="md">
              <TextInput
                label={t.name}
                description={t.nameHint(name)}
                autoComplete="off"
                {...form.getInputProps('display_name')}
              />
              <ColorField {...form.getInputProps('color')} />
              <LogoField
                {...form.getInputProps('logo')}
                error={form.errors['logo.data'] ?? form.errors['logo.content_type']}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <BrandPreview draft={form.values} />
          </Grid.Col>
        </Grid>
        <ConflictNotice form={form} />
        <Refusal said={saving.refusal} />
        <div>
          <Button type="submit" loading={saving.isPending} disabled={!form.canSave}>
            {t.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
