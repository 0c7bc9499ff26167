// The languages of the documentation site, and the texts of its navigation, search and footer in each
// language.

export type Language = 'en' | 'id'
export const languages: readonly Language[] = ['en', 'id']

/**
 * Returns the URL path of a documentation page. `path` identifies the page and is the same in all languages.
 * It is '' for the first page.
 */
export const addressIn = (language: Language, path: string): string =>
  `/docs${language === 'en' ? '' : `/${language}`}${path && `/${path}`}`

/** Returns the path of the Indonesian translation of an English page. */
export const translationOf = (file: string): string =>
  file.startsWith('docs/') ? file.replace('docs/', 'docs/id/') : `docs/id/${file}`

const english = {
  name: 'English',
  documentation: 'Gapura documentation',
  docs: 'Docs',
  site: 'Site',
  navigation: 'Documentation',
  menu: 'Menu',
  skip: 'Skip to content',
  onThisPage: 'On this page',
  neighbours: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  edit: 'Edit this page',
  language: 'Language',
  version: (version: string) =>
    `This page describes version ${version}. Each release serves its own documentation.`,
  changelog: 'Changelog',
  untranslated: 'This page is not available in this language. The text below is in English.',
  untranslatedReference: 'The descriptions in the API reference are in English.',
  missingTitle: 'Page not found',
  missing: 'The page may have been renamed. For a list of all pages, see the',
  firstPage: 'first page',
  heroTitle: 'One API for Indonesian payments',
  hero: 'Accept virtual accounts, QRIS, e-wallets and convenience stores through one API. Gapura selects the provider, keeps the ledger, and notifies your server with a signed webhook when a payment is paid.',
  quickStart: 'Quick start',
  search: 'Search',
  searchLabel: 'Search the documentation',
  searchHint: 'Guides, operations and fields',
  searchNone: 'No results',
  searchCount: (count: string) => `${count} results`,
  searchFailed: 'Search is not available. Reload the page and try again.',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',
  notCopied: 'Not copied',
  reference: 'API reference',
  overview: 'Overview',
  referenceAbout:
    'Every operation with its parameters, responses, errors, and samples for curl and TypeScript.',
  openapi: 'OpenAPI document',
  openapiAbout: 'The API as an OpenAPI 3.1 document, for code generators and other tools.',
  operations: 'Operations',
  parameters: { path: 'Path parameters', query: 'Query parameters', header: 'Headers' },
  body: 'Request body',
  response: 'Response',
  errors: 'Errors',
  required: 'required',
  optional: 'optional',
  fields: (count: number) => (count === 1 ? 'Show 1 field' : `Show ${count} fields`),
  when: 'If',
  example: 'Example',
  status: 'Status',
  meaning: 'Meaning',
  apiKey: 'API key',
  accessToken: 'access token',
  noCredential: 'no credential',
  credential: 'Credential',
  or: 'or',
}
export type Words = typeof english

const indonesian: Words = {
  name: 'Bahasa Indonesia',
  documentation: 'Dokumentasi Gapura',
  docs: 'Dokumentasi',
  site: 'Situs',
  navigation: 'Daftar halaman',
  menu: 'Menu',
  skip: 'Langsung ke isi',
  onThisPage: 'Di halaman ini',
  neighbours: 'Halaman sebelumnya dan berikutnya',
  previous: 'Sebelumnya',
  next: 'Berikutnya',
  edit: 'Sunting halaman ini',
  language: 'Bahasa',
  version: version =>
    `Halaman ini menjelaskan versi ${version}. Setiap rilis menyajikan dokumentasinya sendiri.`,
  changelog: 'Catatan perubahan',
  untranslated: 'Halaman ini belum tersedia dalam bahasa Indonesia. Teks di bawah ini berbahasa Inggris.',
  untranslatedReference: 'Keterangan dalam referensi API ditulis dalam bahasa Inggris.',
  missingTitle: 'Halaman tidak ditemukan',
  missing: 'Nama halaman ini mungkin sudah berubah. Semua halaman tercantum di',
  firstPage: 'halaman pertama',
  heroTitle: 'Satu API untuk pembayaran di Indonesia',
  hero: 'Terima pembayaran lewat virtual account, QRIS, e-wallet, dan gerai ritel dengan satu API. Gapura memilih penyedia, mencatat buku besar, dan mengirim webhook bertanda tangan ke server Anda saat pembayaran lunas.',
  quickStart: 'Mulai cepat',
  search: 'Cari',
  searchLabel: 'Cari di dokumentasi',
  searchHint: 'Panduan, operasi, dan field',
  searchNone: 'Tidak ada hasil',
  searchCount: count => `${count} hasil`,
  searchFailed: 'Pencarian tidak tersedia. Muat ulang halaman dan coba lagi.',
  close: 'Tutup',
  copy: 'Salin',
  copied: 'Tersalin',
  selected: 'Terpilih',
  notCopied: 'Gagal menyalin',
  reference: 'Referensi API',
  overview: 'Ikhtisar',
  referenceAbout: 'Setiap operasi dengan parameter, respons, error, serta contoh curl dan TypeScript.',
  openapi: 'Dokumen OpenAPI',
  openapiAbout: 'OpenAPI 3.1, untuk generator dan alat lain.',
  operations: 'Operasi',
  parameters: { path: 'Parameter path', query: 'Parameter query', header: 'Header' },
  body: 'Isi permintaan',
  response: 'Respons',
  errors: 'Error',
  required: 'wajib',
  optional: 'opsional',
  fields: count => `Tampilkan ${count} field`,
  when: 'Jika',
  example: 'Contoh',
  status: 'Status',
  meaning: 'Arti',
  apiKey: 'API key',
  accessToken: 'access token',
  noCredential: 'tanpa kredensial',
  credential: 'Kredensial',
  or: 'atau',
}

export const words: Record<Language, Words> = { en: english, id: indonesian }
