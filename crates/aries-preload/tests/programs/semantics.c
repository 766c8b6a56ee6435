/* What the emulator of libugni does and refuses. Usage: semantics COOKIE */
#include "harness.h"

#define IS(expected, call) do { int rc_ = (call); if (rc_ != (expected)) { \
  printf("line %d: %s = %d, not %d\n", __LINE__, #call, rc_, expected); wrong++; } } while (0)

int main(int count, char **words) {
  int wrong = 0;
  if (count != 2) return 2;
  start(1, (uint32_t)strtoul(words[1], NULL, 10));
  gni_cq_handle_t small;
  gni_ep_handle_t unbound, self, silent;
  gni_cq_entry_t event, first;
  gni_post_descriptor_t *done, d[4];
  gni_mem_handle_t no_memory;
  uint32_t address;
  gni_nic_handle_t again;

  /* Handles are of one kind; what is not there cannot be reached. */
  IS(GNI_RC_INVALID_STATE, GNI_CdmAttach(cdm, 0, &address, &again));
  IS(GNI_RC_INVALID_PARAM, GNI_CdmAttach((gni_cdm_handle_t)nic, 0, &address, &again));
  IS(GNI_RC_INVALID_PARAM, GNI_CqGetEvent((gni_cq_handle_t)nic, &event));
  IS(GNI_RC_SUCCESS, GNI_CqCreate(nic, 2, 0, 0, NULL, NULL, &small));
  IS(GNI_RC_SUCCESS, GNI_EpCreate(nic, small, &unbound));
  IS(GNI_RC_TRANSACTION_ERROR, GNI_EpBind(unbound, 0, 4711));
  IS(GNI_RC_SUCCESS, GNI_EpCreate(nic, small, &self));
  IS(GNI_RC_SUCCESS, GNI_EpBind(self, 0, 0));
  IS(GNI_RC_SUCCESS, GNI_EpCreate(nic, NULL, &silent));
  IS(GNI_RC_SUCCESS, GNI_EpBind(silent, 0, 0));

  /* Memory: events of the other side are not emulated; nothing outside of a registration. */
  IS(GNI_RC_ILLEGAL_OP, GNI_MemRegister(nic, (uint64_t)buffer, 64, small, 0, 0, &no_memory));
  IS(GNI_RC_INVALID_PARAM, GNI_MemRegister(nic, (uint64_t)buffer, 0, NULL, 0, 0, &no_memory));
  d[0] = describe(GNI_POST_FMA_PUT, 0, 0, 0, BUFFER - 8, 16);
  IS(GNI_RC_PERMISSION_ERROR, GNI_PostFma(self, &d[0]));
  d[0] = describe(GNI_POST_FMA_PUT_W_SYNCFLAG, 0, 0, 0, 64, 8);
  d[0].sync_flag_addr = peer[0].address + BUFFER;
  IS(GNI_RC_PERMISSION_ERROR, GNI_PostFma(self, &d[0]));

  /* Memory that is unmapped and mapped again at its place is other memory. */
  unsigned char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int round = 0; round < 2; round++) {
    gni_mem_handle_t its;
    memset(page, 40 + round, 4096);
    IS(GNI_RC_SUCCESS, GNI_MemRegister(nic, (uint64_t)page, 8192, NULL, 0, 0, &its));
    d[0] = describe(GNI_POST_RDMA_GET, 0, 0, 30000, 0, 8192);
    d[0].remote_addr = (uint64_t)page, d[0].remote_mem_hndl = its;
    IS(GNI_RC_SUCCESS, GNI_PostRdma(silent, &d[0]));
    wrong += buffer[30000] != 40 + round || buffer[30000 + 4095] != 40 + round || buffer[34096] != 0;
    page[4096] = 9; /* in the second round the new memory is empty again */
    MUST(munmap(page, 8192));
    wrong += mmap(page, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page;
  }

  /* Kinds and modes. */
  d[0] = describe(GNI_POST_FMA_PUT, 0, 0, 0, 64, 8);
  IS(GNI_RC_INVALID_STATE, GNI_PostFma(unbound, &d[0]));
  IS(GNI_RC_ILLEGAL_OP, GNI_PostRdma(self, &d[0]));
  d[0].dlvr_mode = 0x21;
  IS(GNI_RC_INVALID_PARAM, GNI_PostFma(self, &d[0]));
  d[0].dlvr_mode = GNI_DLVMODE_IN_ORDER | GNI_DLVMODE_ORDERED_TAIL;
  IS(GNI_RC_INVALID_PARAM, GNI_CtPostFma(self, &d[0]));
  d[0] = describe(GNI_POST_FMA_GET, 0, 0, 0, 64, 0);
  IS(GNI_RC_INVALID_PARAM, GNI_PostFma(self, &d[0]));

  /* Data arrive, the flag behind them; a put may be empty; a queue can be full. */
  memset(buffer, 7, 64);
  d[0] = describe(GNI_POST_FMA_PUT_W_SYNCFLAG, 0, 0, 0, 4096, 64);
  d[0].sync_flag_addr = peer[0].address + 8192, d[0].sync_flag_value = 0x1234;
  IS(GNI_RC_SUCCESS, GNI_PostFma(self, &d[0]));
  uint64_t flag;
  memcpy(&flag, buffer + 8192, 8);
  wrong += flag != 0x1234 || memcmp(buffer, buffer + 4096, 64);
  d[1] = describe(GNI_POST_RDMA_PUT, 0, 0, 0, 4096, 0);
  IS(GNI_RC_SUCCESS, GNI_PostRdma(self, &d[1]));
  d[2] = describe(GNI_POST_RDMA_GET, 0, 0, 16384, 4096, 64);
  IS(GNI_RC_ERROR_RESOURCE, GNI_PostRdma(self, &d[2]));
  wrong += buffer[16384] == 7;
  IS(GNI_RC_SUCCESS, GNI_PostRdma(silent, &d[2])); /* no queue, no event */
  wrong += buffer[16384] != 7;

  /* Events are in order, and taken once. */
  IS(GNI_RC_SUCCESS, GNI_CqGetEvent(small, &first));
  IS(GNI_RC_SUCCESS, GNI_CqWaitEvent(small, 10, &event));
  IS(GNI_RC_NOT_DONE, GNI_CqGetEvent(small, &event));
  IS(GNI_RC_TIMEOUT, GNI_CqWaitEvent(small, 1, &event));
  IS(GNI_RC_SUCCESS, GNI_GetCompleted(small, first, &done));
  wrong += done != &d[0];
  IS(GNI_RC_NO_MATCH, GNI_GetCompleted(small, first, &done));

  /* A chain: every part arrives, one event. */
  d[0] = describe(GNI_POST_FMA_PUT, 0, 0, 0, 20000, 8), d[1] = describe(3, 0, 0, 0, 20008, 8);
  d[0].next_descr = &d[1];
  IS(GNI_RC_SUCCESS, GNI_CtPostFma(self, &d[0]));
  wrong += memcmp(buffer, buffer + 20000, 16);
  IS(GNI_RC_SUCCESS, GNI_CqGetEvent(small, &event));
  IS(GNI_RC_NOT_DONE, GNI_CqGetEvent(small, &event));

  /* Small messages: size, credits, tags, release. */
  gni_smsg_attr_t box = {0, buffer, 1 << 14, handle, 1 << 20, 2, 32};
  unsigned int needed;
  IS(GNI_RC_INVALID_STATE, GNI_SmsgSend(silent, "x", 1, NULL, 0, 1));
  IS(GNI_RC_SUCCESS, GNI_SmsgBufferSizeNeeded(&box, &needed));
  wrong += needed < 2 * 32;
  IS(GNI_RC_SUCCESS, GNI_SmsgInit(silent, &box, &box));
  box.mbox_offset = BUFFER;
  IS(GNI_RC_INVALID_PARAM, GNI_SmsgInit(silent, &box, &box));
  box.mbox_offset = (1 << 20) + 4; /* its words would not be aligned */
  IS(GNI_RC_INVALID_PARAM, GNI_SmsgInit(silent, &box, &box));
  IS(GNI_RC_SIZE_ERROR, GNI_SmsgSend(silent, buffer, 33, NULL, 0, 1));
  IS(GNI_RC_SUCCESS, GNI_SmsgSendWTag(silent, "ab", 2, "cd", 3, 1, 5));
  IS(GNI_RC_SUCCESS, GNI_SmsgSend(silent, "ef", 3, NULL, 0, 2));
  IS(GNI_RC_NOT_DONE, GNI_SmsgSend(silent, "gh", 3, NULL, 0, 3));
  uint8_t tag = 4;
  void *header = NULL;
  IS(GNI_RC_INVALID_STATE, GNI_SmsgRelease(silent));
  IS(GNI_RC_NO_MATCH, GNI_SmsgGetNextWTag(silent, &header, &tag));
  wrong += tag != 5;
  IS(GNI_RC_SUCCESS, GNI_SmsgGetNextWTag(silent, &header, &tag));
  wrong += !header || strcmp(header, "abcd");
  IS(GNI_RC_SUCCESS, GNI_SmsgRelease(silent));
  IS(GNI_RC_SUCCESS, GNI_SmsgSend(silent, "gh", 3, NULL, 0, 3));
  IS(GNI_RC_SUCCESS, GNI_SmsgGetNext(silent, &header));
  wrong += !header || strcmp(header, "ef");
  IS(GNI_RC_INVALID_PARAM, GNI_SmsgSetDeliveryMode(nic, GNI_DLVMODE_ORDERED_TAIL));

  /* What is destroyed is gone. */
  IS(GNI_RC_SUCCESS, GNI_EpDestroy(silent));
  IS(GNI_RC_INVALID_PARAM, GNI_SmsgSend(silent, "x", 1, NULL, 0, 1));
  IS(GNI_RC_SUCCESS, GNI_EpUnbind(self));
  IS(GNI_RC_INVALID_STATE, GNI_PostFma(self, &d[0]));
  IS(GNI_RC_SUCCESS, GNI_CqDestroy(small));
  IS(GNI_RC_SUCCESS, GNI_CdmDestroy(cdm));
  IS(GNI_RC_INVALID_PARAM, GNI_CdmDestroy(cdm));
  printf("wrong %d\n", wrong);
  return wrong != 0;
}
