export type Answer = { status: number; body: { success: false; message: string } }

// Creates an error response. Tripay documents only the message for a wrong API key. All other messages and all HTTP
// statuses are made up.
export function refusal(message: string, status = 400): Answer {
  return { status, body: { success: false, message } }
}

export const invalidApiKey = refusal('Invalid API Key', 200)
