import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The placeholder for the nonce, which the service replaces with a new nonce in each response
  // (packages/server/src/http/pages/dashboard.ts).
  html: { cspNonce: '__nonce__' },
  build: {
    target: 'baseline-widely-available',
    // The listed browser versions support the CSS function light-dark(), so Vite does not replace the function. A
    // replacement would follow the system's color scheme instead of the user's choice.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // Images are not inlined, because inlined images would require a less strict content security policy.
    assetsInlineLimit: 0,
    // The manifest lists the imports of each script. A test reads the manifest to check the size of the first page
    // load.
    manifest: true,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  // The development server (`npm run dev`) forwards API calls to a service on its default port.
  server: { proxy: { '/trpc': 'http://127.0.0.1:8080' } },
})
