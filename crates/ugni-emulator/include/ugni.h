/* What the stand-in for libugni offers to C programs: the part of uGNI that it emulates, declared by
 * its public names, values and layout (x86-64), and how tests look inside. Not a vendor header. */
#ifndef ODONATA_UGNI_H
#define ODONATA_UGNI_H
#include <stdint.h>

typedef enum {
  GNI_RC_SUCCESS = 0, GNI_RC_NOT_DONE = 1, GNI_RC_INVALID_PARAM = 2, GNI_RC_ERROR_RESOURCE = 3,
  GNI_RC_TIMEOUT = 4, GNI_RC_PERMISSION_ERROR = 5, GNI_RC_INVALID_STATE = 8, GNI_RC_NO_MATCH = 9,
  GNI_RC_SIZE_ERROR = 10, GNI_RC_TRANSACTION_ERROR = 11, GNI_RC_ILLEGAL_OP = 12
} gni_return_t;

typedef struct gni_cdm *gni_cdm_handle_t;
typedef struct gni_nic *gni_nic_handle_t;
typedef struct gni_ep *gni_ep_handle_t;
typedef struct gni_cq *gni_cq_handle_t;
typedef uint64_t gni_cq_entry_t;
typedef struct { uint64_t qword1, qword2; } gni_mem_handle_t;

enum { GNI_POST_RDMA_PUT = 1, GNI_POST_RDMA_GET = 2, GNI_POST_FMA_PUT = 3,
       GNI_POST_FMA_PUT_W_SYNCFLAG = 4, GNI_POST_FMA_GET = 5, GNI_POST_AMO = 6,
       GNI_POST_CQWRITE = 7 };
enum { GNI_CQMODE_LOCAL_EVENT = 1, GNI_CQMODE_GLOBAL_EVENT = 2 };
enum { GNI_DLVMODE_PERFORMANCE = 0x00, GNI_DLVMODE_NO_ADAPT = 0x01, GNI_DLVMODE_NO_HASH = 0x02,
       GNI_DLVMODE_NO_RADAPT = 0x04, GNI_DLVMODE_IN_ORDER = 0x03, GNI_DLVMODE_NMIN_HASH = 0x08,
       GNI_DLVMODE_MIN_HASH = 0x10, GNI_DLVMODE_ADAPTIVE1 = 0x20, GNI_DLVMODE_ADAPTIVE2 = 0x40,
       GNI_DLVMODE_ADAPTIVE3 = 0x80, GNI_DLVMODE_ORDERED_TAIL = 0x100 };

typedef struct gni_post_descriptor {
  struct gni_post_descriptor *next_descr, *prev_descr;
  uint64_t post_id, status;
  uint16_t cq_mode_complete;
  uint32_t type;
  uint16_t cq_mode, dlvr_mode;
  uint64_t local_addr;
  gni_mem_handle_t local_mem_hndl;
  uint64_t remote_addr;
  gni_mem_handle_t remote_mem_hndl;
  uint64_t length;
  uint16_t rdma_mode;
  gni_cq_handle_t src_cq_hndl;
  uint64_t sync_flag_value, sync_flag_addr;
  uint32_t amo_cmd;
  uint64_t first_operand, second_operand, cqwrite_value;
  uint32_t ce_cmd, ce_mode;
  uint64_t ce_red_id;
} gni_post_descriptor_t;

typedef struct {
  uint32_t msg_type;
  void *msg_buffer;
  uint32_t buff_size;
  gni_mem_handle_t mem_hndl;
  uint32_t mbox_offset;
  uint16_t mbox_maxcredit;
  uint32_t msg_maxsize;
} gni_smsg_attr_t;

gni_return_t GNI_CdmCreate(uint32_t, uint8_t, uint32_t, uint32_t, gni_cdm_handle_t *);
gni_return_t GNI_CdmAttach(gni_cdm_handle_t, uint32_t, uint32_t *, gni_nic_handle_t *);
gni_return_t GNI_CdmDestroy(gni_cdm_handle_t);
gni_return_t GNI_CqCreate(gni_nic_handle_t, uint32_t, uint32_t, uint32_t,
                          void (*)(gni_cq_entry_t *, void *), void *, gni_cq_handle_t *);
gni_return_t GNI_CqDestroy(gni_cq_handle_t);
gni_return_t GNI_CqGetEvent(gni_cq_handle_t, gni_cq_entry_t *);
gni_return_t GNI_CqWaitEvent(gni_cq_handle_t, uint64_t, gni_cq_entry_t *);
gni_return_t GNI_GetCompleted(gni_cq_handle_t, gni_cq_entry_t, gni_post_descriptor_t **);
gni_return_t GNI_EpCreate(gni_nic_handle_t, gni_cq_handle_t, gni_ep_handle_t *);
gni_return_t GNI_EpBind(gni_ep_handle_t, uint32_t, uint32_t);
gni_return_t GNI_EpUnbind(gni_ep_handle_t);
gni_return_t GNI_EpDestroy(gni_ep_handle_t);
gni_return_t GNI_MemRegister(gni_nic_handle_t, uint64_t, uint64_t, gni_cq_handle_t, uint32_t,
                             uint32_t, gni_mem_handle_t *);
gni_return_t GNI_MemDeregister(gni_nic_handle_t, gni_mem_handle_t *);
gni_return_t GNI_PostFma(gni_ep_handle_t, gni_post_descriptor_t *);
gni_return_t GNI_PostRdma(gni_ep_handle_t, gni_post_descriptor_t *);
gni_return_t GNI_CtPostFma(gni_ep_handle_t, gni_post_descriptor_t *);
gni_return_t GNI_SmsgBufferSizeNeeded(gni_smsg_attr_t *, unsigned int *);
gni_return_t GNI_SmsgInit(gni_ep_handle_t, gni_smsg_attr_t *, gni_smsg_attr_t *);
gni_return_t GNI_SmsgSetDeliveryMode(gni_nic_handle_t, uint16_t);
gni_return_t GNI_SmsgSend(gni_ep_handle_t, void *, uint32_t, void *, uint32_t, uint32_t);
gni_return_t GNI_SmsgSendWTag(gni_ep_handle_t, void *, uint32_t, void *, uint32_t, uint32_t,
                              uint8_t);
gni_return_t GNI_SmsgGetNext(gni_ep_handle_t, void **);
gni_return_t GNI_SmsgGetNextWTag(gni_ep_handle_t, void **, uint8_t *);
gni_return_t GNI_SmsgRelease(gni_ep_handle_t);

/* The emulator itself: a counter by its name on Aries (0 if there is one), all counters to 0,
 * messages sent with a delivery mode. */
int odonata_ugni_counter(const char *name, uint64_t *value);
void odonata_ugni_reset_counters(void);
uint64_t odonata_ugni_sent(uint16_t mode);
#endif
