import { lazyWithRetry } from '~/ui/lazy-with-retry'

const load = () => import('./writing').then((module) => module.writing)

export const CollectionForm = lazyWithRetry(() => load().then((parts) => parts.CollectionForm))
export const DeleteDocument = lazyWithRetry(() => load().then((parts) => parts.DeleteDocument))
export const DocumentForm = lazyWithRetry(() => load().then((parts) => parts.DocumentForm))
export const ImportDialog = lazyWithRetry(() => load().then((parts) => parts.ImportDialog))
export const PastDocuments = lazyWithRetry(() => load().then((parts) => parts.PastDocuments))
export const SearchForm = lazyWithRetry(() => load().then((parts) => parts.SearchForm))
export const StructureTab = lazyWithRetry(() => load().then((parts) => parts.StructureTab))
