import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // In each response, the service replaces the placeholder `__nonce__` with a new nonce
  // (packages/server/src/http/pages/dashboard.ts).
  html: { cspNonce: '__nonce__' },
  build: {
    target: 'baseline-widely-available',
    // These browsers support the CSS function light-dark(), so Vite keeps it. If Vite replaced it, the colors would
    // follow the system's color scheme instead of the user's choice.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    // The build writes a manifest, because a test reads it to check the size of the first page load.
    manifest: true,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  // The development server (`npm run dev`) forwards API calls to a service on its default port.
  server: { proxy: { '/trpc': 'http://127.0.0.1:8080' } },
})
